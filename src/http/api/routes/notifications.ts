import { acts } from '../../../contract/acts.ts';
import {
  type Channel,
  type ChannelBody,
  type ChannelOutcome,
  channelWishOf,
  type MessageEntry,
  shownTarget,
} from '../../../contract/notification.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, listOf, ref, text } from '../../../contract/schemas/api/build.ts';
import {
  type ApiAnswer,
  type ApiRoute,
  created,
  defineRoute,
  done,
  ok,
  problem,
} from '../api-route.ts';
import { isoTime, note, present } from './shapes.ts';

const tag = 'notifications';
const path = '/api/notifications';
const one = `${path}/:id`;

/** Who is notified of events. */
export const notificationRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path,
    access: 'viewer',
    tag,
    summary: 'Channels of notifications, by name, without their secrets',
    status: 200,
    answer: closed({ channels: listOf(ref('Channel')) }, { publicUrl: text }),
    async handle(_call, { notifications }) {
      const channels = (await notifications.list()).map(channelShape);
      return ok({ channels, ...present({ publicUrl: notifications.publicUrl }) });
    },
  }),
  defineRoute<ChannelBody>({
    method: 'POST',
    path,
    access: 'administrator',
    tag,
    summary: 'Add a channel: in force on every node within a second',
    body: bodies.channel,
    status: 201,
    answer: closed({ channel: ref('Channel') }),
    problems: ['conflict'],
    async handle(call, parts) {
      const outcome = await parts.notifications.add(channelWishOf(call.body), call.actor);
      if (outcome.kind !== 'done') return refusal(outcome);
      await note(call, parts, acts.channelAdded(outcome.channel));
      return created({ channel: channelShape(outcome.channel) });
    },
  }),
  defineRoute<ChannelBody>({
    method: 'PUT',
    path: one,
    access: 'administrator',
    tag,
    summary: 'Replace a channel; secrets that are left out stay, unless they would go elsewhere',
    body: bodies.channel,
    status: 200,
    answer: closed({ channel: ref('Channel') }),
    problems: ['no-such-resource', 'conflict'],
    async handle(call, parts) {
      const id = call.params['id'] ?? '';
      const outcome = await parts.notifications.replace(id, channelWishOf(call.body), call.actor);
      if (outcome.kind !== 'done') return refusal(outcome);
      const { name, isPaused } = outcome.channel;
      const summary = `changed the notification channel ${name}${isPaused ? ', which is paused' : ''}`;
      await note(call, parts, { action: 'notification.change', target: id, summary });
      return ok({ channel: channelShape(outcome.channel) });
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: one,
    access: 'administrator',
    tag,
    summary: 'Remove a channel, with what waits for it and its history',
    status: 204,
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const id = call.params['id'] ?? '';
      const removed = await parts.notifications.remove(id);
      if (removed === undefined) return problem('no-such-resource');
      await note(call, parts, acts.channelRemoved(removed));
      return done;
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${one}/test`,
    access: 'administrator',
    tag,
    summary: 'Send a test message now, and say what the receiver answers',
    status: 200,
    answer: ref('TestOutcome'),
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const id = call.params['id'] ?? '';
      const outcome = await parts.notifications.test(id);
      if (outcome === undefined) return problem('no-such-resource');
      await note(call, parts, acts.channelTested(id, outcome.isDelivered));
      return ok(outcome);
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${one}/messages`,
    access: 'viewer',
    tag,
    summary: 'What was sent, waits, or could not be sent, newest first',
    status: 200,
    answer: closed({ messages: listOf(ref('NotificationMessage')) }),
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const messages = await parts.notifications.history(call.params['id'] ?? '');
      return messages === undefined
        ? problem('no-such-resource')
        : ok({ messages: messages.map(messageShape) });
    },
  }),
];

function refusal(outcome: Exclude<ChannelOutcome, { kind: 'done' }>): ApiAnswer {
  switch (outcome.kind) {
    case 'not-valid':
      return { kind: 'problem', code: 'request-not-valid', errors: outcome.problems };
    case 'name-taken':
      return problem('conflict', 'There is a channel of this name. Choose another one.');
    case 'full':
      return problem('conflict', `There can be ${outcome.most} channels. Remove one first.`);
    case 'gone':
      return problem('no-such-resource');
  }
}

/** A channel without anything that would let a reader send in its place. */
function channelShape(channel: Channel): object {
  const { target, createdAt, changedAt, threshold, quietHours, ...rest } = channel;
  return {
    ...rest,
    ...present({ threshold, quietHours }),
    target: shownTarget(channel.kind, target),
    createdAt: isoTime(createdAt),
    changedAt: isoTime(changedAt),
  };
}

function messageShape(message: MessageEntry): object {
  const { createdAt, nextAt, settledAt, ...rest } = message;
  return {
    ...rest,
    createdAt: isoTime(createdAt),
    ...present({
      nextAt: nextAt === undefined ? undefined : isoTime(nextAt),
      settledAt: settledAt === undefined ? undefined : isoTime(settledAt),
    }),
  };
}

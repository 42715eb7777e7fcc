import type { ChannelRow, MessageRow } from '../api/types.ts';
import { useResource } from '../hooks/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { Inert } from '../ui/inert.tsx';
import { Empty, Loaded } from '../ui/notice.tsx';
import { Table } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { messageKinds, messageStates } from './notification-words.ts';

/** What was sent to a channel, what waits, and what could not be sent. */
export function NotificationHistory(props: {
  readonly row: ChannelRow;
  readonly onClose: () => void;
}) {
  const { row, onClose } = props;
  const history = useResource<{ readonly messages: readonly MessageRow[] }>(
    `/notifications/${row.id}/messages`,
  );
  return (
    <Dialog title={`History of ${row.name}`} onClose={onClose} wide>
      <Loaded resource={history}>
        {({ messages }) =>
          messages.length === 0 ? (
            <Empty title="No message was made yet." />
          ) : (
            <Table caption="Messages" columns={['Message', 'State', 'Answer']}>
              {messages.map((message) => (
                <tr key={message.id}>
                  <th scope="row">
                    {message.title}
                    <small>
                      {messageKinds[message.kind]}, <Time at={message.createdAt} />
                    </small>
                  </th>
                  <td>
                    <StateText message={message} />
                  </td>
                  <td>
                    <Inert text={message.answer} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      <DialogButtons>
        <Button onClick={history.reload}>Refresh</Button>
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

const badges = {
  sent: 'allow',
  waiting: 'would-block',
  failed: 'block',
  dropped: 'block',
} as const;

function StateText({ message }: { readonly message: MessageRow }) {
  const { state, attempts, nextAt } = message;
  return (
    <>
      <span class={`badge ${badges[state]}`}>{messageStates[state]}</span>
      {attempts > 1 ? <small>{attempts} attempts</small> : null}
      {nextAt === undefined || attempts === 0 ? null : (
        <small>
          next try <Time at={nextAt} />
        </small>
      )}
    </>
  );
}

import type { EventContext, StoredEvent } from '../../../contract/event.ts';
import { ButtonLink, CopyBlock } from '../ui/button.tsx';
import { visibleJson } from '../ui/inert.tsx';
import { Card } from '../ui/page.tsx';
import { shellQuote } from '../ui/shell-quote.ts';

/** The event for other tools: the playground, a terminal, a program. */
export function Elsewhere(props: {
  readonly event: StoredEvent;
  readonly body: object | undefined;
}) {
  const { event, body } = props;
  return (
    <Card
      title="Use it elsewhere"
      actions={
        body === undefined ? null : (
          <ButtonLink href={playgroundAddress(body)} icon="playground">
            Open in the playground
          </ButtonLink>
        )
      }
    >
      {body === undefined ? null : (
        <details>
          <summary>curl command</summary>
          <p class="faint">Sends what is stored of the request. Put a key into SALLYPORT_KEY.</p>
          <CopyBlock text={curlOf(event, body)} what="curl command" />
        </details>
      )}
      <details>
        <summary>JSON</summary>
        <CopyBlock text={visibleJson(event, 2)} what="event as JSON" />
      </details>
    </Card>
  );
}

/** Behind the #, so that no server log has the value. */
function playgroundAddress(body: object): string {
  return `/dashboard/playground#body=${encodeURIComponent(JSON.stringify(body, undefined, 2))}`;
}

const headers: readonly (readonly [name: string, part: keyof EventContext])[] = [
  ['x-forwarded-method', 'method'],
  ['x-forwarded-host', 'host'],
  ['x-forwarded-uri', 'uri'],
  ['x-forwarded-for', 'client'],
];

function curlOf(event: StoredEvent, body: object): string {
  const said = headers.flatMap(([name, part]) => {
    const value = event.context[part] ?? '';
    return value === '' ? [] : [`${name}: ${value.replace(/[^ -~]/g, '?')}`];
  });
  const lines = [
    `curl -i ${shellQuote(`${location.origin}/control`)}`,
    '-H "x-api-key: $SALLYPORT_KEY"',
    ...['content-type: application/json', ...said].map((line) => `-H ${shellQuote(line)}`),
    `--data-raw ${shellQuote(visibleJson(body))}`,
  ];
  return lines.join(' \\\n  ');
}

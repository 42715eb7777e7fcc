import type { AuditEntry } from '../../../contract/audit.ts';
import { usePages } from '../hooks/use-pages.ts';
import { Inert } from '../ui/inert.tsx';
import { Empty } from '../ui/notice.tsx';
import { Page, Table } from '../ui/page.tsx';
import { Paged } from '../ui/paged.tsx';
import { Time } from '../ui/time.tsx';

const pageSize = 100;

export function AuditPage() {
  const list = usePages<'entries', AuditEntry>('/audit', 'entries', { limit: pageSize });
  return (
    <Page title="Audit" intro="Who changed what, and when. Entries are only ever added.">
      <Paged list={list} empty={<Empty title="Nothing was changed yet." />}>
        {(entries) => (
          <Table
            caption="Administrative acts, newest first"
            columns={['When', 'Who', 'Act', 'What', 'From']}
          >
            {entries.map((entry) => (
              <tr key={entry.id}>
                <td class="nowrap">
                  <Time at={entry.at} />
                </td>
                <td>
                  <Inert text={entry.actor} />
                </td>
                <td>
                  <code>{entry.action}</code>
                </td>
                <td>
                  <Inert text={entry.summary} />
                  <small>
                    <Inert text={entry.target} />
                  </small>
                </td>
                <td>{entry.address === undefined ? '–' : <Inert text={entry.address} />}</td>
              </tr>
            ))}
          </Table>
        )}
      </Paged>
    </Page>
  );
}

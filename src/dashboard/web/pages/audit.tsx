import { useState } from 'preact/hooks';
import type { AuditChange, AuditEntry } from '../../../contract/audit.ts';
import { withQuery } from '../api/client.ts';
import { usePages } from '../hooks/use-pages.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { Inert } from '../ui/inert.tsx';
import { Empty } from '../ui/notice.tsx';
import { Page, Table } from '../ui/page.tsx';
import { Paged } from '../ui/paged.tsx';
import { useMay } from '../ui/role.tsx';
import { Time } from '../ui/time.tsx';

const pageSize = 100;

const things = [
  { value: '', label: 'Everything' },
  { value: 'session', label: 'Sign-ins and sessions' },
  { value: 'session.refuse', label: 'Refused sign-ins' },
  { value: 'administrator', label: 'Administrators' },
  { value: 'invitation', label: 'Invitations' },
  { value: 'key', label: 'Keys' },
  { value: 'policy', label: 'Policies' },
  { value: 'candidate', label: 'Candidates' },
  { value: 'shape', label: 'Shapes' },
  { value: 'address', label: 'Addresses' },
  { value: 'notification', label: 'Notifications' },
  { value: 'event', label: 'Triage' },
  { value: 'filter', label: 'Saved filters' },
] as const;

export function AuditPage() {
  const [actor, setActor] = useState('');
  const [action, setAction] = useState<(typeof things)[number]['value']>('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const filter = { actor, action, from: momentOf(from), to: momentOf(to) };
  const query = { ...filter, limit: pageSize };
  const list = usePages<'entries', AuditEntry>('/audit', 'entries', query);
  const isFiltered = Object.values(filter).some((value) => value !== '' && value !== undefined);
  return (
    <Page
      title="Audit"
      intro="Who changed what, and when. Entries are only ever added."
      actions={useMay('administrator') ? <Exports filter={filter} /> : undefined}
    >
      <div class="filters filter-row">
        <TextField label="Who" type="search" value={actor} onInput={setActor} maxLength={110} />
        <Select label="What" value={action} options={things} onChange={setAction} />
        <TextField label="From" type="datetime-local" value={from} onInput={setFrom} />
        <TextField label="To" type="datetime-local" value={to} onInput={setTo} />
      </div>
      <Paged
        list={list}
        empty={
          <Empty title={isFiltered ? 'Nothing fits these filters.' : 'Nothing was changed yet.'} />
        }
      >
        {(entries) => (
          <Table
            caption="Administrative acts, newest first"
            columns={['When', 'Who', 'Act', 'What', 'From']}
          >
            {entries.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </Table>
        )}
      </Paged>
    </Page>
  );
}

function Exports({ filter }: { readonly filter: Readonly<Record<string, string | undefined>> }) {
  return (
    <>
      <ButtonLink
        icon="down"
        href={withQuery('/api/audit/export.csv', filter)}
        download="audit.csv"
      >
        CSV
      </ButtonLink>
      <ButtonLink icon="down" href={withQuery('/api/audit/export', filter)} download="audit.ndjson">
        NDJSON
      </ButtonLink>
    </>
  );
}

function EntryRow({ entry }: { readonly entry: AuditEntry }) {
  return (
    <tr>
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
        {entry.changes === undefined ? null : <Changes changes={entry.changes} />}
      </td>
      <td>{entry.address === undefined ? '–' : <Inert text={entry.address} />}</td>
    </tr>
  );
}

function Changes({ changes }: { readonly changes: readonly AuditChange[] }) {
  return (
    <ul class="audit-changes">
      {changes.map(({ field, from, to }) => (
        <li key={field}>
          <code>{field}</code> <Inert text={textOf(from)} /> → <Inert text={textOf(to)} />
        </li>
      ))}
    </ul>
  );
}

function textOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function momentOf(text: string): string | undefined {
  return text === '' ? undefined : new Date(text).toISOString();
}

import { Empty } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';

export function NotFoundPage() {
  return (
    <Page title="No such page">
      <Empty title="There is nothing at this address.">
        <a href="/dashboard">Go to the overview</a>
      </Empty>
    </Page>
  );
}

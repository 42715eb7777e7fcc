import { useEffect } from 'preact/hooks';

const question = 'You have changes that are not saved. Leave this page and lose them?';

/** Asks before a page with unsaved changes is left: by a link, by Back, by closing the tab. */
export function useGuard(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const here = location.href;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement);
      // A file, another tab, and a place on this page leave nothing.
      if (link === undefined || link.target !== '' || link.download !== '') return;
      if (link.pathname === location.pathname && link.origin === location.origin) return;
      const isOther = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
      if (isOther || confirm(question)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const onBack = (event: PopStateEvent) => {
      if (new URL(here).pathname === location.pathname || confirm(question)) return;
      history.pushState(null, '', here);
      event.stopImmediatePropagation();
    };
    addEventListener('beforeunload', onUnload);
    addEventListener('click', onClick, true);
    addEventListener('popstate', onBack, true);
    return () => {
      removeEventListener('beforeunload', onUnload);
      removeEventListener('click', onClick, true);
      removeEventListener('popstate', onBack, true);
    };
  }, [isDirty]);
}

const pauseMs = 60_000;

/**
 * What stands in the place of `onError`: an application that lets requests pass without a verdict
 * must not do so in silence. One warning a minute is seen and fills no log.
 */
export function warnNowAndThen(): (outage: { readonly message: string }) => void {
  let quietUntil = 0;
  return ({ message }) => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + pauseMs;
    const hint = 'onError reports each such request; this warning comes once a minute at most.';
    process.emitWarning(`A request was not screened. ${message} (${hint})`, 'SallyportWarning');
  };
}

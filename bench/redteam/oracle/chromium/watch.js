// Runs before any script of each document of the browser. It tells the page that judges what a script
// reached. A document of another origin cannot tell, and is no script of the attacked page.
(() => {
  const judgeName = '%JUDGE%';
  const { top } = window;
  const own = window;

  /** Weak canaries are what the scripts of some pages touch themselves. */
  const touched = (what, isWeak) => {
    let isHit = false;
    try {
      isHit = top[judgeName].touched(own, what, isWeak);
    } catch {
      return;
    }
    if (isHit) throw new Error(what);
  };

  const wrapped = (target, name, isWeak) =>
    new Proxy(target, {
      apply(_, self, args) {
        touched(name, isWeak);
        return Reflect.apply(target, self, args);
      },
      construct(_, args, newTarget) {
        touched(name, isWeak);
        return Reflect.construct(target, args, newTarget);
      },
    });

  const watch = (owner, names, isWeak = false) => {
    for (const name of names) {
      const found = Object.getOwnPropertyDescriptor(owner, name);
      if (found?.configurable !== true) continue;
      for (const part of ['value', 'get', 'set']) {
        const isUseful = typeof found[part] === 'function' && !(part === 'get' && isWeak);
        if (isUseful) found[part] = wrapped(found[part], name, isWeak);
      }
      Object.defineProperty(owner, name, found);
    }
  };

  const watchAll = () => {
    watch(own, ['alert', 'confirm', 'prompt', 'print', 'open', 'fetch', 'XMLHttpRequest']);
    watch(own, ['Image', 'Worker', 'SharedWorker', 'WebSocket', 'EventSource', 'Audio']);
    watch(own, ['localStorage', 'sessionStorage', 'postMessage', 'RTCPeerConnection']);
    watch(own, ['eval', 'setTimeout', 'setInterval', 'requestAnimationFrame'], true);
    watch(Navigator.prototype, ['sendBeacon']);
    watch(Document.prototype, ['cookie', 'write', 'writeln']);
    watch(Document.prototype, ['title', 'body'], true);
    watch(Document.prototype, ['createElement', 'execCommand'], true);
    watch(HTMLFormElement.prototype, ['submit']);
    watch(HTMLScriptElement.prototype, ['src', 'text', 'textContent'], true);
    watch(HTMLElement.prototype, ['innerText', 'outerText'], true);
    watch(Element.prototype, ['innerHTML', 'outerHTML', 'insertAdjacentHTML'], true);
    watch(Element.prototype, ['append', 'setAttribute', 'remove', 'replaceWith'], true);
    watch(Node.prototype, ['appendChild', 'insertBefore', 'textContent', 'removeChild'], true);
    watch(EventTarget.prototype, ['addEventListener'], true);
    watch(History.prototype, ['pushState', 'replaceState'], true);
  };

  const listen = EventTarget.prototype.addEventListener;
  // A link and a form name their element, a refresh by the document has none either.
  listen.call(own.navigation, 'navigate', (event) => {
    const isByScript = event.sourceElement === null && event.navigationType !== 'reload';
    if (isByScript && !document.querySelector('meta[http-equiv=refresh i]')) {
      try {
        touched('navigation', true);
      } catch {
        // The page goes nowhere.
      }
    }
    if (event.cancelable && event.hashChange === false) event.preventDefault();
  });
  // The page that judges takes the plain functions first.
  if (own === top) own[`${judgeName}Watch`] = watchAll;
  else watchAll();
})();

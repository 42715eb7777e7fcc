// The page that judges: puts each attacked page into a frame, does what a user does, and waits for
// canaries. It uses private functions, which attacks in the frames do not see.
(() => {
  const judgeName = '%JUDGE%';
  const waitMs = 90;
  const loadMs = 1500;
  const plain = {
    setTimeout: setTimeout.bind(window),
    create: document.createElement.bind(document),
    append: Node.prototype.appendChild,
    remove: Element.prototype.remove,
    all: Document.prototype.querySelectorAll,
    click: HTMLElement.prototype.click,
    focus: HTMLElement.prototype.focus,
    blur: HTMLElement.prototype.blur,
    dispatch: EventTarget.prototype.dispatchEvent,
    listen: EventTarget.prototype.addEventListener,
    attribute: Element.prototype.getAttributeNames,
    fill: Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML').set,
    frame: Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentWindow').get,
    document: Object.getOwnPropertyDescriptor(window, 'document').get,
    open: Document.prototype.open,
    write: Document.prototype.write,
    close: Document.prototype.close,
    boxes: Element.prototype.getClientRects,
    body: document.body,
  };
  const framesMax = 160;
  const coolMs = 250;
  /** Frames that are used again: a new one takes fifty times as long as a page in an old one. */
  let frames = [];
  let strangers = 0;
  let fences = 0;

  /** The case whose frame a window belongs to. */
  const caseOf = (inner) => {
    let at = inner;
    while (at !== null && at !== window && at.parent !== window) at = at.parent;
    return frames.find(({ window: own }) => own === at);
  };

  const touched = (inner, what, isWeak) => {
    const held = caseOf(inner);
    if (held === undefined) {
      strangers += 1;
      return true;
    }
    // Something of an earlier page still runs.
    if (held.one === undefined) held.isDirty = true;
    if (isWeak && held.one?.hasScripts) return false;
    if (held.one !== undefined) held.one.touched ??= what;
    held.one?.wake();
    return true;
  };

  const turn = () => new Promise((resolve) => plain.setTimeout(resolve, 0));
  const pause = (ms) => new Promise((resolve) => plain.setTimeout(resolve, ms));
  const documentOf = (inner) => {
    try {
      return plain.document.call(inner) ?? undefined;
    } catch {
      return undefined;
    }
  };

  const pointer =
    'pointerover pointerenter pointermove pointerdown pointerup pointerout pointerleave';
  const mouse =
    'mouseover mouseenter mousemove mousedown mouseup mouseout mouseleave dblclick contextmenu auxclick';
  const touch =
    'wheel touchstart touchmove touchend dragstart drag dragenter dragover drop dragend';
  const keys = 'keydown keypress keyup beforeinput input change select paste copy cut search';
  const kinds = [
    [PointerEvent, pointer],
    [MouseEvent, mouse],
    [Event, touch],
    [KeyboardEvent, keys],
    [Event, 'scroll scrollend'],
  ].flatMap(([kind, names]) => names.split(' ').map((name) => [kind, name]));

  /** What a user may do with an element that is seen. */
  const use = (element) => {
    if (plain.boxes.call(element).length === 0) return;
    for (const [Kind, name] of kinds) {
      plain.dispatch.call(element, new Kind(name, { bubbles: false, cancelable: true, key: 'a' }));
    }
    if (element instanceof element.ownerDocument.defaultView.HTMLElement) {
      plain.focus.call(element);
      plain.blur.call(element);
      plain.click.call(element);
    } else {
      plain.dispatch.call(element, new MouseEvent('click', { bubbles: true, cancelable: true }));
      plain.dispatch.call(element, new FocusEvent('focus'));
    }
  };

  const useAll = (inner, isDone) => {
    const inside = documentOf(inner);
    if (!inside) return;
    for (const element of [...plain.all.call(inside, '*')].slice(0, 60)) {
      if (isDone()) return;
      try {
        use(element);
      } catch {
        // An element of another origin, or one that is gone.
      }
    }
    for (const name of ['resize', 'hashchange', 'focus', 'blur', 'message', 'pageshow']) {
      plain.dispatch.call(inner, new Event(name));
    }
    for (let at = 0; at < inner.length; at += 1) useAll(inner[at], isDone);
  };

  /** How much in a page may run later: handlers, scripts, and what loads something. */
  const shape = (inner) => {
    const inside = documentOf(inner);
    if (inside === undefined) return '';
    const elements = [...plain.all.call(inside, '*')];
    const handlers = elements.flatMap((one) =>
      plain.attribute.call(one).filter((name) => /^(?:on|form|style|href|src)/i.test(name)),
    );
    const loaders = plain.all.call(inside, 'script,iframe,object,embed,link,meta,base,animate,set');
    const nested = Array.from({ length: inner.length }, (_, at) => shape(inner[at]));
    return [handlers.length, loaders.length, ...nested].join(' ');
  };

  /** New names among the globals of a page are set by a script, too. */
  const globals = (inner) => Object.getOwnPropertyNames(inner).length - inner.length;

  /** False where the frame takes no other document: a script stopped its parser, or left. */
  const write = (held, html) => {
    const inside = documentOf(held.window);
    if (inside === undefined) return false;
    const before = inside.documentElement;
    try {
      plain.open.call(inside);
      plain.listen.call(held.window, 'error', (event) => {
        if (held.one !== undefined && 'lineno' in event) held.one.hasFailed = true;
      });
      plain.write.call(inside, html);
      plain.close.call(inside);
    } catch {
      return false;
    }
    return inside.documentElement !== before;
  };

  /** A frame with a separate page: in an empty one, scripts navigate unseen. */
  const newFrame = async (html = '<p>', one = undefined) => {
    const frame = plain.create('iframe');
    frame.sandbox = 'allow-scripts allow-same-origin allow-forms allow-modals allow-popups';
    frame.srcdoc = html;
    const isLoaded = new Promise((resolve) => {
      plain.listen.call(frame, 'load', resolve, { once: true });
    });
    plain.append.call(plain.body, frame);
    const window = plain.frame.call(frame);
    const held = { frame, window, one, isDirty: false, usedAt: Number.POSITIVE_INFINITY };
    frames.push(held);
    await Promise.race([isLoaded, pause(loadMs)]);
    return held;
  };

  const isFresh = ({ one, usedAt, isDirty }) =>
    one === undefined && !isDirty && usedAt + coolMs < performance.now();

  const drop = (held) => {
    frames = frames.filter((other) => other !== held);
    plain.remove.call(held.frame);
  };

  /** A frame that an attack ran in rests first: what it left behind then shows. */
  const release = (held, { isClean }) => {
    if (!frames.includes(held)) return;
    const wasTouched = held.one.touched !== undefined;
    held.one = undefined;
    if (!isClean || held.isDirty || frames.length > framesMax) {
      drop(held);
      return;
    }
    held.usedAt = wasTouched ? performance.now() : -coolMs;
    if (!wasTouched) return;
    if (!write(held, '<p>')) drop(held);
  };

  const fillOut = (held, { fill }) => {
    const out = documentOf(held.window)?.getElementById('out');
    if (fill !== undefined && out) plain.fill.call(out, fill);
  };

  const show = async (held, { html, fill }, isHit) => {
    held.isDirty = !write(held, html);
    if (held.one.touched !== undefined) return;
    const until = performance.now() + loadMs;
    while (held.one.touched === undefined && performance.now() < until) {
      if (documentOf(held.window)?.readyState === 'complete') break;
      await Promise.race([isHit, pause(2)]);
    }
    fillOut(held, { fill });
  };

  /** Uses the page, and waits for what follows where it is not the page that was meant. */
  const watch = async (held, { shape: expected, hasScripts }, isHit) => {
    const isDone = () => held.one.touched !== undefined;
    if (held.window.length > 0) await Promise.race([isHit, pause(25)]);
    if (isDone() || !documentOf(held.window)) return '';
    const found = shape(held.window);
    useAll(held.window, isDone);
    for (let turns = 0; turns < 2 && !isDone(); turns += 1) await turn();
    // The libraries begin their work a little after the page is there.
    if (!isDone() && hasScripts) await Promise.race([isHit, pause(12)]);
    if (!isDone() && !hasScripts) {
      // A script that is imported by an attack is there before this one.
      fences += 1;
      await import(`data:text/javascript,${fences}`);
    }
    if (isDone() || found === expected) return found;
    await Promise.race([isHit, pause(waitMs)]);
    if (!isDone()) useAll(held.window, isDone);
    await turn();
    return found;
  };

  /** Some events of elements come only in a page that is loaded, not written: the last word. */
  const runInNew = async (given) => {
    const one = { hasScripts: given.hasScripts, touched: undefined, hasFailed: false };
    const isHit = new Promise((resolve) => {
      one.wake = resolve;
    });
    const held = await newFrame(given.html, one);
    fillOut(held, given);
    await watch(held, given, isHit);
    // Leaving a page has events, too.
    drop(held);
    return one.touched;
  };

  const run = async (given) => {
    let held = frames.find(isFresh);
    if (held === undefined) held = await newFrame();
    else held.usedAt = Number.POSITIVE_INFINITY;
    const one = { hasScripts: given.hasScripts, touched: undefined, hasFailed: false };
    const isHit = new Promise((resolve) => {
      one.wake = resolve;
    });
    held.one = one;
    const before = globals(held.window);
    await show(held, given, isHit);
    const found = await watch(held, given, isHit);
    const isThere = documentOf(held.window) !== undefined;
    const names = isThere ? globals(held.window) : before;
    if (!given.hasScripts && names !== before) one.touched ??= 'a new global';
    const { hasFailed } = one;
    let reached = one.touched;
    release(held, { isClean: isThere && names === before && !given.hasScripts });
    const isOpen = reached === undefined && given.shape !== undefined && found !== given.shape;
    if (isOpen) reached = await runInNew(given);
    return { touched: reached, hasFailed, shape: found };
  };

  window[judgeName] = {
    touched,
    judge: async (given) => {
      strangers = 0;
      const answers = await Promise.all(given.map(run));
      // What an attack broke here must not show in the next ones.
      const isBroken =
        document.body !== plain.body || frames.some(({ frame }) => !frame.isConnected);
      return { answers, strangers, isBroken };
    },
  };
  window[`${judgeName}Watch`]();
})();

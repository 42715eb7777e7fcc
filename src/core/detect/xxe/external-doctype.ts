import { xmlGrammar } from '../../tokenise/xml.ts';
import type { Match, ValueRule } from '../rule.ts';
import { referenceKindOf } from './reference.ts';

/** `<!DOCTYPE r SYSTEM "http://…">` */
export const externalDoctype: ValueRule = {
  id: 'xxe.external-doctype',
  category: 'xxe',
  cwe: 'CWE-611',
  severity: 'high',
  score: 85,
  message: 'has the XML parser fetch its document type from a place that the sender chose',
  trigger: { literals: [['<!doctype'], ['system', 'public']] },
  judge: (subject) => {
    const reading = subject.tokens(xmlGrammar);
    if (!reading.complete) subject.incomplete('tokens');
    let best: Match | undefined;
    for (const one of reading.declarations) {
      if (one.kind !== 'doctype' || one.external === undefined) continue;
      const kind = referenceKindOf(one.literal);
      const score =
        kind === 'local' ? 93 : kind === 'network' ? (one.external === 'system' ? 90 : 78) : 0;
      if (score > (best?.score ?? 0)) best = { start: one.start, end: one.end, score };
    }
    return best;
  },
  examples: [
    '<!DOCTYPE order SYSTEM "http://203.0.113.5/o.dtd"><order/>',
    '<?xml version="1.0"?><!DOCTYPE r PUBLIC "-//X//Y//EN" "file:///c:/windows/win.ini"><r/>',
    '<!DOCTYPE r PUBLIC "-//X//Y//EN" "http://files.example.net/e.dtd"><r/>',
  ],
  lookalikes: [
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
    '<!DOCTYPE html SYSTEM "about:legacy-compat">',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<!DOCTYPE book SYSTEM "docbook.dtd"><book/>',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">',
  ],
};

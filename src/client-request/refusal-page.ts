import { createHash } from 'node:crypto';
import { acceptedIn } from './accepted.ts';
import { type PageLanguage, pageTexts, type RefusalReason } from './refusal-texts.ts';

export type RefusalStatus = 400 | 403 | 413 | 415 | 503;

/** What a page is about. */
export interface PageSubject {
  readonly status: RefusalStatus;
  readonly why: RefusalReason;
  readonly id: string;
  /** What the browser asks for, of the languages that the usual page knows. */
  readonly language: PageLanguage;
}

/** The language that a browser wants most, of those that there are texts in. */
export function pageLanguageOf(acceptLanguage: readonly string[]): PageLanguage {
  for (const wanted of acceptedIn(acceptLanguage)) {
    const [language = ''] = wanted.split('-', 1);
    if (Object.hasOwn(pageTexts, language)) return language as PageLanguage;
  }
  return 'en';
}

const style = `:root{color-scheme:light dark;--page:#f4f5f7;--card:#fff;--text:#1b2330;--soft:#566072;--line:#dfe3e9;--brand:#2f5fd0}
@media (prefers-color-scheme:dark){:root{--page:#12161d;--card:#1b212b;--text:#e8ebf1;--soft:#a3adbd;--line:#303947;--brand:#8fb0ff}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--page);color:var(--text);font:1rem/1.55 system-ui,sans-serif}
main{width:100%;max-width:34rem;padding:2.25rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
svg{display:block;width:2.5rem;height:2.5rem;color:var(--brand)}
h1{margin:1rem 0 .5rem;font-size:1.5rem;line-height:1.25}
p{margin:0}
dl{margin:1.5rem 0 0;padding-top:1rem;border-top:1px solid var(--line);font-size:.875rem}
dt{color:var(--soft)}
dd{margin:.125rem 0 0;font-family:ui-monospace,monospace;overflow-wrap:anywhere}
footer{margin-top:1.5rem;color:var(--soft);font-size:.8125rem}`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Nothing is loaded, run, sent or framed: the page has one style of its own. */
export const pageSecurityPolicy =
  `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; ` +
  "frame-ancestors 'none'";

const icon =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" ' +
  'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">' +
  '<path d="M4 21V9a8 8 0 0 1 16 0v12"/><path d="M2 21h20M9 21V10M15 21V10M4.5 14h15"/></svg>';

/** The usual page for browsers. */
export function refusalPage({ why, id, language }: PageSubject): string {
  const texts = pageTexts[language];
  const [heading, text] = texts[why].map(escaped);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${heading}</title>
<style>${style}</style>
</head>
<body>
<main>
${icon}
<h1>${heading}</h1>
<p>${text}</p>
<dl><dt>${escaped(texts.idLabel)}</dt><dd>${escaped(id)}</dd></dl>
<footer>${escaped(texts.footer)}</footer>
</main>
</body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML shows it. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { marked } from 'marked';
import { isMarkdownFence, isMarkdownSpan } from '../../../src/core/placement/markdown-fence.ts';

const tag = '<script>x()</script>';

it('code of Markdown is what a renderer shows, and where there is doubt it is none', () => {
  const shown = [
    `Put \`${tag}\` there`,
    `A \`b\` and \`${tag}\`, then \`c\``,
    `# Title\n\nFirst \`a\`.\n\nThen \`${tag}\`\n`,
    `Intro\n\n\`\`\`html\n${tag}\n\`\`\`\n`,
    `<p align="center"><img src="/a.png" width=80></p>\n\n\`\`\`html\n${tag}\n\`\`\`\n`,
  ];
  const live = [
    `Put \`a\` ${tag} \`b\` there`,
    `Put \\\`${tag}\` there`,
    `Open \` here\nand \` ${tag} \` there`,
    `A <b title="\`">x</b> ${tag} \``,
    `\`\`a\` ${tag} \`\`\` b`,
    `| \` | ${tag} \` |\n|---|---|`,
    `<pre>\n\n\`${tag}\`\n</pre>`,
    `<div>\n\`${tag}\`\n</div>`,
    `Not closed \`${tag}`,
    `\`a\n# \` ${tag}\n\``,
    `a\r\r\` ${tag} \``,
    `\`\`\`html\nx\n\`\`\`\n\n${tag}\n`,
    `\`\`\`a\`b\n${tag}\n\`\`\`\n`,
    `<div title='\n\n\`\`\`\n'>${tag}\n\`\`\`\n`,
    `<iframe srcdoc="\n\n\`\`\`\n${tag}\n\`\`\`\n\n">`,
    `<div title='\n\nA \`' onclick=${tag}\` b\n`,
    `<!--\n\n\`\`\`\n${tag}\n\`\`\`\n-->`,
  ];
  const isShown = (text: string): boolean => {
    const at = text.indexOf(tag);
    return isMarkdownFence(text, at) || isMarkdownSpan(text, at);
  };
  for (const text of shown) {
    assert.ok(isShown(text), text);
    assert.ok(!marked.parse(text, { async: false }).includes('<script>'), text);
  }
  for (const text of live) assert.ok(!isShown(text), text);
});

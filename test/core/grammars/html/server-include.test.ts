import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serverInclude } from '../../../../src/core/grammars/html/server-include.ts';

/** Directives as `kind name attribute`. */
function read(text: string): readonly string[] {
  return serverInclude
    .read(text)
    .map(({ kind, name, attribute }) => `${kind} ${name} ${attribute}`.trim());
}

describe('server-include grammar', () => {
  const rows: readonly (readonly [text: string, directives: readonly string[]])[] = [
    ['<!--#exec cmd="id" -->', ['ssi exec cmd']],
    ['<!-- # include  virtual = /x-->', ['ssi include virtual']],
    ['<!--#ECHO VAR=X--><!--#printenv-->', ['ssi echo var', 'ssi printenv']],
    ['<!-- #region -->', ['ssi region']],
    ['<!-- comment --><p>', []],
    ['<esi:include src="x"/></esi:vars>', ['esi include src', 'esi vars']],
    ['<!--esi <p> -->', ['esi-comment esi']],
    ['<!--esident-->', []],
    ['< esi:include', []],
    ['#echo encoding="none" var=\'pid\' ', ['ssi echo encoding']],
    [' # set var="a" value="b" --><!--# echo var="a"', ['ssi set var', 'ssi echo var']],
    ['#echo var="a" says it', []],
    ['#echo var=a', []],
    ['see #echo var="a"', []],
    ['', []],
  ];
  for (const [text, directives] of rows) {
    it(text, () => assert.deepEqual(read(text), directives));
  }

  it('spans a directive from bracket to bracket', () => {
    const [directive] = serverInclude.read('ab<!--#exec cmd="id" -->cd');
    assert.deepEqual([directive?.start, directive?.end], [2, 24]);
  });

  it('ends inside of the text when nothing closes the directive', () => {
    const text = '<!--#exec cmd=id';
    assert.equal(serverInclude.read(text)[0]?.end, text.length);
  });
});

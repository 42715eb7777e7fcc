import { deflateSync } from 'node:zlib';
import { serialized } from '../../bench/redteam/grammar/serialized.ts';
import { marshal, phpSerialized, pickle, revived } from '../../bench/redteam/oracle/serialized.ts';
import { serializedRewriters } from '../../bench/redteam/rewrite/serialized.ts';
import { testOracle, testRewriters } from './laws.ts';

const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');
const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex');

const object = 'O:6:"Logger":1:{s:4:"file";s:9:"shell.php";}';
testOracle(phpSerialized, {
  text: [[object], [`a:1:{i:0;${object}}`]],
  base64: [[base64(object)]],
  'percent signs': [[encodeURIComponent(object)]],
  'member of a list': [[object]],
  'base64, percent signs': [[encodeURIComponent(base64(object))]],
});

const system = "cos\nsystem\n(S'id'\ntR.";
testOracle(pickle, {
  text: [[system], ["(S'id'\nios\nsystem\n."]],
  base64: [[base64('\x80\x02cos\nsystem\nX\x02\0\0\0id\x85R.')]],
  base64url: [[base64(system)]],
  compressed: [[deflateSync(Buffer.from(system)).toString('base64')]],
  hexadecimal: [[hex(system)]],
  YAML: [["!!python/object/apply:os.system ['id']"]],
  'YAML, member': [['!!python/object/new:os.system [id]']],
});

const erb = '\u0004\bo:\bERB\0';
testOracle(marshal, {
  'Marshal, base64': [[base64(erb)], [base64('\u0004\bU:\u0015Gem::Requirement[\0')]],
  'Marshal, base64url': [[base64(erb)]],
  'Marshal, hexadecimal': [[hex(erb)]],
  YAML: [['--- !ruby/object:Gem::Installer\ni: x\n']],
  'YAML, member': [['!ruby/object:ERB {src: x}']],
});

const revivedCall = `{"a":"_$$ND_FUNC$$_function(){require('child_process').exec('id')}()"}`;
testOracle(revived, {
  'functions in JSON': [[revivedCall]],
  'functions in JSON, base64': [[base64(revivedCall)]],
  'eval of JSON': [['process.exit(1)']],
  'eval of JSON, member': [["require('fs').readFileSync('/etc/passwd')"]],
});

const named = (...starts: string[]) =>
  serializedRewriters.filter(({ name }) => starts.some((start) => name.startsWith(start)));

testRewriters(phpSerialized, serialized, named('PHP', 'base64'));
testRewriters(pickle, serialized, named('pickle', 'YAML', 'hexadecimal'));
testRewriters(
  marshal,
  serialized,
  named('Marshal', 'YAML: percent', 'YAML: anchor', 'YAML: comment', 'base64'),
);
testRewriters(revived, serialized, named('JSON', 'script'));

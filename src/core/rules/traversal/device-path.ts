import { confidence } from '../../placement/confidence.ts';
import type { ValueRule } from '../rule.ts';

/** `\\?\C:\…`: the name space of devices, in which Windows checks and normalises nothing. */
export const devicePath: ValueRule = {
  id: 'traversal.device-path',
  cwe: 'CWE-69',
  score: confidence.strong,
  message: 'names a file in the device name space of Windows, which skips the checks of a path',
  trigger: {
    literals: [['\\\\?\\', '\\\\.\\', '\\??\\', '//?/', '//./', '\\device\\']],
    charsMax: 1_000,
  },
  judge: (subject) => {
    const { text } = subject;
    // The value is the path, or a parameter's value is.
    const start = devicePathStart.test(text) ? 0 : text.search(parameter) + 1;
    const found = devicePathStart.exec(text.slice(start));
    return found === null ? undefined : { start, end: start + found[0].length };
  },
  examples: [
    ...['\\\\?\\C:\\Users\\Administrator\\NTUSER.DAT', '\\\\.\\C:\\data\\users.db', '\\\\.\\COM1'],
    ...['/get?f=\\\\?\\UNC\\203.0.113.5\\share\\x', '\\??\\C:\\inetpub\\x.config'],
    ...['\\\\.\\PhysicalDrive0', '/get?f=//./aux'],
  ],
  lookalikes: [
    ...['the path \\\\?\\C:\\data is too long, says Windows', '\\\\fileserver\\share\\a.docx'],
    ...['what?//./no', 'C:\\Device\\driver.sys'],
  ],
};

const devicePathStart =
  /^(?:[\\/]{2}[?.][\\/]|\\\?\?\\)(?:(?:[a-z]:[\\/]|unc[\\/]|volume\{)[^\s"<>|]{0,120}|globalroot\b[^\s"<>|]{0,120}|physicaldrive\d|(?:pipe|mailslot)[\\/][^\s"<>|]{1,80}|(?:harddisk|cdrom|tape)\w{1,40}|(?:con|aux|nul|prn|com\d|lpt\d)(?=$|[.:&\s]))/i;
const parameter = /=(?:[\\/]{2}[?.][\\/]|\\\?\?\\)/;

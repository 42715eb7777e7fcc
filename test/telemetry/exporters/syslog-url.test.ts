import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSyslogUrl } from '../../../src/telemetry/exporters/syslog-url.ts';

// The table of RFC 5424, section 6.2.1.
const facilities = {
  ...{ user: 1, daemon: 3, auth: 4, authpriv: 10, audit: 13, alert: 14 },
  ...{ local0: 16, local1: 17, local2: 18, local3: 19, local4: 20 },
  ...{ local5: 21, local6: 22, local7: 23 },
};

for (const [name, number] of Object.entries(facilities)) {
  test(`the facility ${name} has the number of the standard`, () => {
    assert.equal(parseSyslogUrl(`udp://h?facility=${name}`)?.facility, number);
  });
}

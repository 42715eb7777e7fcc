import type { Detector } from '../rule.ts';
import { cgiScript } from './cgi-script.ts';
import { connectionOption } from './connection-option.ts';
import { disguisedProgram } from './disguised-program.ts';
import { frameworkCall } from './framework-call.ts';
import { hostField } from './host-field.ts';
import { openRedirect } from './open-redirect.ts';
import { probePath } from './probe-path.ts';
import { proxyField } from './proxy-field.ts';
import { rangeField } from './range-field.ts';
import { requestFraming } from './request-framing.ts';
import { requestMethod } from './request-method.ts';
import { rewrittenPath } from './rewritten-path.ts';
import { scannerAgent } from './scanner-agent.ts';
import { scriptPut } from './script-put.ts';
import { scriptUpload } from './script-upload.ts';
import { serverConfiguration } from './server-configuration.ts';
import { shellshock } from './shellshock.ts';
import { superglobal } from './superglobal.ts';
import { unsignedToken } from './unsigned-token.ts';

/** Rules of the category `other`. */
export const other: Detector = {
  category: 'other',
  rules: [
    shellshock,
    scriptUpload,
    scriptPut,
    disguisedProgram,
    serverConfiguration,
    cgiScript,
    openRedirect,
    scannerAgent,
    probePath,
    frameworkCall,
    superglobal,
    unsignedToken,
    hostField,
    rewrittenPath,
    requestMethod,
    requestFraming,
    rangeField,
    proxyField,
    connectionOption,
  ],
};

import obfuscator from 'javascript-obfuscator';
import jsfuck from 'jsfuck';
import { minify } from 'terser';
import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';
import { placeOf } from './script-words.ts';

/** What other people's programs make of the script in a value; undefined where they refuse it. */
function tool(
  name: string,
  make: (text: string, random: Random) => string | undefined | Promise<string | undefined>,
): Rewriter {
  return {
    name,
    language: 'html',
    rewrite: async (value, random) => {
      const placed = placeOf(value);
      if (placed === undefined) return undefined;
      const made = await attempt(() => make(placed.script, random));
      if (made === undefined || made === placed.script) return undefined;
      const quote = /["']$/.exec(placed.before)?.[0];
      const fits = quote === undefined || !made.includes(quote);
      if (fits) return placed.before + made + placed.after;
      // In an attribute the quote has a reference.
      return (
        placed.before +
        made.replaceAll('&', '&amp;').replaceAll(quote, quote === '"' ? '&quot;' : '&#39;') +
        placed.after
      );
    },
  };
}

async function attempt<T>(make: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch {
    return undefined;
  }
}

/** An expression stays one: what follows it in the page still parses. */
function asExpression(code: string): string {
  return `(()=>{${code}})()`;
}

type Preset = 'default' | 'low-obfuscation' | 'medium-obfuscation' | 'high-obfuscation';

function obfuscated(name: string, optionsPreset: Preset): Rewriter {
  return tool(name, (text, random) =>
    asExpression(
      obfuscator
        .obfuscate(text, {
          optionsPreset,
          seed: 1 + random.below(1_000_000),
          selfDefending: false,
          debugProtection: false,
          disableConsoleOutput: false,
        })
        .getObfuscatedCode(),
    ),
  );
}

const jsfuckTextMax = 60;

/** Minifiers and obfuscators. */
export const scriptToolRewriters: readonly Rewriter[] = [
  tool('terser', async (text, random) => {
    const made = await minify(`${text};`, {
      compress: {
        passes: 2,
        unsafe: random.chance(50),
        side_effects: false,
        expression: true,
        negate_iife: random.chance(50),
      },
      mangle: { toplevel: random.chance(50) },
      format: {
        quote_style: random.pick([0, 1, 2]),
        ascii_only: true,
        beautify: random.chance(30),
        semicolons: random.chance(50),
      },
    });
    return made.code?.replace(/;$/, '');
  }),
  obfuscated('obfuscator, default', 'default'),
  obfuscated('obfuscator, low', 'low-obfuscation'),
  obfuscated('obfuscator, medium', 'medium-obfuscation'),
  obfuscated('obfuscator, high', 'high-obfuscation'),
  tool('jsfuck', (text, random) => {
    if (text.length > jsfuckTextMax) return undefined;
    return jsfuck.JSFuck.encode(text, random.chance(90));
  }),
];

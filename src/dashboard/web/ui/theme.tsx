import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

export type Theme = 'system' | 'light' | 'dark';

const stored = 'sallyport-theme';
const ThemeContext = createContext<readonly [Theme, (theme: Theme) => void]>([
  'system',
  () => undefined,
]);

/** The theme of the page: the one of the system unless the user chose. */
export function ThemeProvider({ children }: { readonly children: ComponentChildren }) {
  const [theme, setTheme] = useState(readTheme);
  const [, setSystemDark] = useState(false);
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(stored, theme);
  }, [theme]);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const onChange = () => setSystemDark(query.matches);
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, []);
  return <ThemeContext.Provider value={[theme, setTheme]}>{children}</ThemeContext.Provider>;
}

function readTheme(): Theme {
  const kept = localStorage.getItem(stored);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  return useContext(ThemeContext);
}

const themes: readonly (readonly [Theme, string, IconName])[] = [
  ['system', 'As the system', 'device'],
  ['light', 'Light', 'sun'],
  ['dark', 'Dark', 'moon'],
];

export function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  return (
    <fieldset class="theme-switch">
      <legend class="sr-only">Theme</legend>
      {themes.map(([value, label, icon]) => (
        <label key={value} title={label}>
          <input
            type="radio"
            name="theme"
            checked={theme === value}
            onChange={() => setTheme(value)}
          />
          <Icon name={icon} />
          <span class="sr-only">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

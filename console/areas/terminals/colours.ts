import type { ITheme } from '@xterm/xterm'

/** The sixteen colours of terminals, in each theme; xterm itself raises what would be too faint to read. */
const light: ITheme = {
  black: '#10151c',
  red: '#ad2018',
  green: '#12683a',
  yellow: '#775000',
  blue: '#0b5a90',
  magenta: '#7a2e8e',
  cyan: '#0c6670',
  white: '#566070',
  brightBlack: '#566070',
  brightRed: '#c2281f',
  brightGreen: '#177a46',
  brightYellow: '#8a5d00',
  brightBlue: '#0d6cad',
  brightMagenta: '#9140a6',
  brightCyan: '#0f7a86',
  brightWhite: '#10151c',
}

const dark: ITheme = {
  black: '#37424f',
  red: '#ff9088',
  green: '#63d095',
  yellow: '#e8c25c',
  blue: '#74b8ea',
  magenta: '#d59bea',
  cyan: '#66cfd8',
  white: '#c5cdd7',
  brightBlack: '#8b95a4',
  brightRed: '#ffaca6',
  brightGreen: '#8be0b1',
  brightYellow: '#f2d684',
  brightBlue: '#9bcdf3',
  brightMagenta: '#e3b9f2',
  brightCyan: '#92dfe6',
  brightWhite: '#ffffff',
}

/** As the page has them now. */
export function currentColours(): ITheme {
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(name).trim()
  const isDark = document.documentElement.dataset['theme'] === 'dark'
  return {
    ...(isDark ? dark : light),
    background: of('--page'),
    foreground: of('--ink'),
    cursor: of('--accent-ink'),
    cursorAccent: of('--page'),
    selectionBackground: isDark ? '#2b4a66' : '#c9dfef',
    scrollbarSliderBackground: of('--line'),
    scrollbarSliderHoverBackground: of('--edge'),
    scrollbarSliderActiveBackground: of('--edge'),
  }
}

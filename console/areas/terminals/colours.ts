import type { ITheme } from '@xterm/xterm'

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

/** As the page has them now. */
export function currentColours(): ITheme {
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(name).trim()
  const isDark = document.documentElement.dataset['theme'] === 'dark'
  return {
    // xterm itself raises what would be too faint to read.
    ...Object.fromEntries(
      names.flatMap((name) => [
        [name, of(`--ansi-${name}`)],
        [bright(name), of(`--ansi-bright-${name}`)],
      ]),
    ),
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

/** "brightRed", as xterm says. */
const bright = (name: string) => `bright${name.charAt(0).toUpperCase()}${name.slice(1)}`

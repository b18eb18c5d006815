import { toast } from 'sonner'
import { FitAddon } from '@xterm/addon-fit'
import { Terminal, type ITheme } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { type ConnectionState, openTerminalConnection, type TerminalTarget } from './terminal-connection.ts'
import { logError } from '../../lib/log.ts'
import { copyToClipboard } from '../../ui/copy-button.tsx'

const font = '"JetBrains Mono Variable", ui-monospace, monospace'

interface ScreenOptions {
  place: TerminalTarget
  onState: (state: ConnectionState) => void
  onNotice: (notice: string | undefined) => void
  onLeave: () => void
}

export interface TerminalScreen {
  focus: () => void
  openAgain: () => void
  close: () => void
}

/** Opens a terminal. xterm is large, so it is loaded only here. */
export async function openTerminalScreen(
  element: HTMLElement,
  options: ScreenOptions,
  signal: AbortSignal,
): Promise<TerminalScreen | undefined> {
  // xterm measures the font once, so the font must be loaded before.
  await document.fonts.load(`13px ${font}`).catch(() => [])
  if (signal.aborted) return undefined
  const terminal = new Terminal({
    fontFamily: font,
    fontSize: 13,
    lineHeight: 1.25,
    scrollback: 10_000,
    cursorBlink: true,
    minimumContrastRatio: 4.5,
    macOptionIsMeta: true,
    theme: currentColors(),
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.open(element)
  fit.fit()

  const connection = openTerminalConnection(options.place, {
    onState: options.onState,
    onOpened(how) {
      if (how === 'resumed') terminal.reset()
      if (how === 'replaced') terminal.write(leaveModes(terminal))
      options.onNotice(how === 'replaced' ? 'Opened a new shell.' : undefined)
    },
    onWarning: options.onNotice,
    onBytes: (bytes, drawn) => terminal.write(bytes, drawn),
    size: () => ({ cols: terminal.cols, rows: terminal.rows }),
  })
  terminal.attachCustomKeyEventHandler(createKeyHandler(terminal, options.onLeave))
  terminal.onData((data) => {
    options.onNotice(undefined)
    connection.input(data)
  })
  terminal.onBinary((data) => connection.input(data))
  // The event has more fields than its type, but the server accepts only these two.
  terminal.onResize(({ cols, rows }) => connection.resize({ cols, rows }))

  const sized = new ResizeObserver(() => fit.fit())
  sized.observe(element)
  const themed = new MutationObserver(() => (terminal.options.theme = currentColors()))
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  terminal.focus()
  return {
    focus: () => terminal.focus(),
    openAgain: connection.openAgain,
    close() {
      sized.disconnect()
      themed.disconnect()
      connection.leave()
      terminal.dispose()
    },
  }
}

/** Resets the modes that an interrupted program left on: alternate screen, colors, mouse and bracketed paste. */
function leaveModes({ buffer }: Terminal): string {
  const otherScreen = buffer.active.type === 'alternate' ? [1049] : []
  const off = [...otherScreen, 1, 1000, 1002, 1003, 1006, 2004].map((mode) => `\u001b[?${mode}l`)
  return `${off.join('')}\u001b[0m\u001b[?25h\u001b>\r\n`
}

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

function currentColors(): ITheme {
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(name).trim()
  const isDark = document.documentElement.dataset['theme'] === 'dark'
  return {
    // xterm itself raises contrast that is too low.
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

const bright = (name: string) => `bright${name.charAt(0).toUpperCase()}${name.slice(1)}`

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>

/**
 * Returns whether the keys leave the terminal. It captures every key, including Tab and Escape, so a shortcut must
 * return the focus.
 */
const isLeaving = ({ key, ctrlKey, shiftKey }: Pressed) => key === 'Enter' && ctrlKey && shiftKey

/** Returns whether the keys copy the selection. Other shortcuts are left to the browser. */
const isCopying = ({ key, ctrlKey, altKey, metaKey }: Pressed) =>
  key.toLowerCase() === 'c' && ctrlKey && !altKey && !metaKey

const isPasting = ({ key, ctrlKey, shiftKey }: Pressed) => key.toLowerCase() === 'v' && ctrlKey && shiftKey

const copy = (text: string) =>
  copyToClipboard(text).then(
    () => toast.success('Copied to clipboard', { id: 'copied' }),
    (error: unknown) => logError('Could not copy to clipboard', error),
  )

function createKeyHandler(terminal: Terminal, onLeave: () => void) {
  return (event: KeyboardEvent): boolean => {
    if (event.type !== 'keydown') return true
    if (isLeaving(event)) {
      event.preventDefault()
      onLeave()
      return false
    }
    // The browser pastes, and xterm receives the event.
    if (isPasting(event)) return false
    if (isCopying(event) && (event.shiftKey || terminal.hasSelection())) {
      event.preventDefault()
      if (terminal.hasSelection()) void copy(terminal.getSelection())
      terminal.clearSelection()
      return false
    }
    return true
  }
}

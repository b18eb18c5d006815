import type { Terminal } from '@xterm/xterm'
import { logError } from '../../lib/log.ts'
import { putOnClipboard } from '../../ui/clipboard.ts'

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>

/** A terminal takes every key, Tab and Escape too; this one gives the keyboard back to the page. */
const isLeaving = ({ key, ctrlKey, shiftKey }: Pressed) => key === 'Enter' && ctrlKey && shiftKey

/** Where Ctrl is not the key for copying, the browser does it by itself. */
const isCopying = ({ key, ctrlKey, altKey, metaKey }: Pressed) =>
  key.toLowerCase() === 'c' && ctrlKey && !altKey && !metaKey

const isPasting = ({ key, ctrlKey, shiftKey }: Pressed) => key.toLowerCase() === 'v' && ctrlKey && shiftKey

const copy = (text: string) =>
  putOnClipboard(text).catch((error: unknown) => logError('Could not copy to the clipboard', error))

/** Decides which keys are not for the shell. */
export function keysOf(terminal: Terminal, onLeave: () => void) {
  return (event: KeyboardEvent): boolean => {
    if (event.type !== 'keydown') return true
    if (isLeaving(event)) {
      event.preventDefault()
      onLeave()
      return false
    }
    // The browser pastes, and xterm hears of that.
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

import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/code.tsx'
import { useDestinations } from './navigation.ts'
import { useShell } from './shell-state.tsx'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'

export const modifier = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

type Shortcut = readonly [does: string, keys: readonly string[]]

const first: readonly Shortcut[] = [
  ['Open search', [modifier, 'K']],
  ['Search the current list', ['/']],
  ['Toggle sidebar', [modifier, 'B']],
]

const last: readonly Shortcut[] = [
  ['Move through the list', ['↑', '↓']],
  ['Submit a form', [modifier, 'Enter']],
  ['Save changes', [modifier, 'S']],
  ['Focus notifications', ['Alt', 'T']],
  ['Close dialog', ['Esc']],
  ['Show keyboard shortcuts', ['?']],
]

export function ShortcutsSheet() {
  const { overlay, show } = useShell()
  const { destinations, locked } = useDestinations()
  const ways = destinations.map(({ label, key }): Shortcut => [locked ? label : `Go to ${label}`, ['g', key]])
  return (
    <Dialog open={overlay === 'shortcuts'} onOpenChange={() => show(undefined)} title="Keyboard shortcuts">
      <dl className="flex flex-col divide-y divide-line">
        {[...first, ...ways, ...last].map(([does, keys]) => (
          <div key={does} className="flex items-center justify-between gap-4 py-2">
            <dt>{does}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

const sequencePause = 1000

export function useShortcuts() {
  const navigate = useNavigate()
  const { toggleSidebar, overlay, show } = useShell()
  const { destinations } = useDestinations()
  const gPressedAt = useRef(-Infinity)

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing) return
      const act = event.ctrlKey || event.metaKey ? withModifier(event) : plain(event)
      if (!act) return
      event.preventDefault()
      act()
    }

    function withModifier(event: KeyboardEvent): (() => void) | undefined {
      if (event.shiftKey || event.altKey) return undefined
      if (event.key.toLowerCase() === 'b') return toggleSidebar
      if (event.key.toLowerCase() === 'k') return () => show(overlay === 'palette' ? undefined : 'palette')
      const form = event.key === 'Enter' ? formOf(event.target) : undefined
      return form && (() => form.requestSubmit())
    }

    function plain(event: KeyboardEvent): (() => void) | undefined {
      if (event.altKey || isTyping(event.target) || somethingFloats()) return undefined
      const afterG = event.timeStamp - gPressedAt.current < sequencePause
      gPressedAt.current = event.key === 'g' && !afterG ? event.timeStamp : -Infinity
      const destination = afterG && destinations.find(({ key }) => key === event.key)
      if (destination) return () => void navigate(destination.to)
      if (event.key === '?') return () => show('shortcuts')
      if (event.key === '/') return () => focusSearch() || show('palette')
      return undefined
    }

    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [navigate, destinations, toggleSidebar, overlay, show])
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=radio], [type=checkbox]), textarea, select'))

/**
 * Returns the focused form, or the form that fills the page if nothing is focused. Buttons and links keep their own
 * behavior.
 */
function formOf(target: EventTarget | null): HTMLFormElement | undefined {
  if (!(target instanceof Element) || (target.closest('button, a, summary') && target.role !== 'combobox'))
    return undefined
  if (target === document.body && somethingFloats()) return undefined
  const whole = target === document.body ? document.querySelector<HTMLFormElement>('[data-whole-page]') : null
  return target.closest('form') ?? whole ?? undefined
}

const somethingFloats = () =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null

function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('[data-search]')
  search?.select()
  search?.focus()
  return search !== null
}

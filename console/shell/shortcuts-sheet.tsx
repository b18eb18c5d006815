import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { modifier } from './modifier.ts'
import { useDestinations } from './navigation.ts'
import { useShell } from './shell-state.tsx'

type Shortcut = readonly [does: string, keys: readonly string[]]

const first: readonly Shortcut[] = [
  ['Search or jump to anything', [modifier, 'K']],
  ['Search this list', ['/']],
  ['Toggle sidebar', [modifier, 'B']],
]

const last: readonly Shortcut[] = [
  ['Move through a list', ['↑', '↓']],
  ['Submit a form', [modifier, 'Enter']],
  ['Focus notifications', ['Alt', 'T']],
  ['Close dialog', ['Esc']],
  ['Show this list', ['?']],
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

import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { modifier } from './modifier.ts'
import { destinations } from './navigation.ts'
import { useShell } from './shell-state.tsx'

const shortcuts: readonly [does: string, keys: readonly string[]][] = [
  ['Search or jump to anything', [modifier, 'K']],
  ['Search this list', ['/']],
  ['Collapse or open the sidebar', [modifier, 'B']],
  ...destinations.map(({ label, key }): [string, string[]] => [`Go to ${label}`, ['g', key]]),
  ['Move through a list', ['↑', '↓']],
  ['Submit a form', [modifier, 'Enter']],
  ['Go to the notifications', ['Alt', 'T']],
  ['Close what is open', ['Esc']],
  ['Show this list', ['?']],
]

export function ShortcutsSheet() {
  const { overlay, show } = useShell()
  return (
    <Dialog open={overlay === 'shortcuts'} onOpenChange={() => show(undefined)} title="Keyboard shortcuts">
      <dl className="flex flex-col divide-y divide-line">
        {shortcuts.map(([does, keys]) => (
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

import { Ellipsis, type LucideIcon, Pause, Pencil, Play, RotateCw, Square, Trash2, Zap } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../ui/menu/dropdown-menu.tsx'
import type { ContainerVerb } from './mutations.ts'
import { actionsForState } from './container-state.ts'
import type { Container } from './queries.ts'

interface Entry {
  verb: ContainerVerb
  label: string
  Icon: LucideIcon
}

const entries: readonly Entry[] = [
  { verb: 'start', label: 'Start', Icon: Play },
  { verb: 'unpause', label: 'Unpause', Icon: Play },
  { verb: 'stop', label: 'Stop', Icon: Square },
  { verb: 'restart', label: 'Restart', Icon: RotateCw },
  { verb: 'pause', label: 'Pause', Icon: Pause },
  { verb: 'kill', label: 'Kill…', Icon: Zap },
  { verb: 'rename', label: 'Rename…', Icon: Pencil },
  { verb: 'remove', label: 'Remove…', Icon: Trash2 },
]

/** The container page shows these as buttons. */
const prominent: readonly ContainerVerb[] = ['start', 'unpause', 'stop', 'restart']

export const prominentActions = ({ state }: Container) =>
  entriesFor(state).filter(({ verb }) => prominent.includes(verb))

interface ContainerMenuProps {
  container: Container
  /** Another action is in progress. */
  busy: boolean
  onAct: (verb: ContainerVerb) => void
  /** Omits actions that have a button. */
  rest?: boolean
}

export function ContainerMenu({ container, busy, onAct, rest = false }: ContainerMenuProps) {
  const shown = entriesFor(container.state).filter(({ verb }) => !(rest && prominent.includes(verb)))
  if (shown.length === 0) return null
  return (
    <DropdownMenu
      align="end"
      trigger={
        <Button
          variant={rest ? 'secondary' : 'ghost'}
          size={rest ? 'medium' : 'small'}
          icon
          aria-label={`Actions for ${container.name}`}
        >
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      {shown.map(({ verb, label, Icon }) => (
        <Entry key={verb} apart={verb === 'remove' && shown.length > 1}>
          <MenuItem danger={verb === 'remove'} disabled={busy} onSelect={() => onAct(verb)}>
            <Icon aria-hidden />
            {label}
          </MenuItem>
        </Entry>
      ))}
    </DropdownMenu>
  )
}

const Entry = ({ apart, children }: { apart: boolean; children: React.ReactNode }) => (
  <>
    {apart && <MenuSeparator />}
    {children}
  </>
)

function entriesFor(state: Container['state']) {
  const fitting = actionsForState(state)
  return entries.filter(({ verb }) => fitting.includes(verb))
}

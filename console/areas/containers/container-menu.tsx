import { type LucideIcon, Pause, Pencil, Play, RotateCw, Square, Trash2, Zap } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { ActionsMenu, MenuItem, MenuSeparator } from '../../ui/menu/dropdown-menu.tsx'
import { type Container, type ContainerVerb, useContainerAction, usePendingActions } from './queries.ts'
import { actionsForState, pendingLabels } from './container-state.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { type ActionTarget, ContainerDialogs, dialogName, needsDialog } from './container-dialogs.tsx'

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

/** The container page shows these actions as buttons beside the menu. */
const prominent: readonly ContainerVerb[] = ['start', 'unpause', 'stop', 'restart']

export const prominentActions = ({ state }: Container) =>
  entriesFor(state).filter(({ verb }) => prominent.includes(verb))

interface ContainerMenuProps {
  container: Container
  busy: boolean
  onAct: (verb: ContainerVerb) => void
  rest?: boolean
}

export function ContainerMenu({ container, busy, onAct, rest = false }: ContainerMenuProps) {
  const shown = entriesFor(container.state).filter(({ verb }) => !(rest && prominent.includes(verb)))
  if (shown.length === 0) return null
  return (
    <ActionsMenu name={container.name} {...(rest && { variant: 'secondary' })}>
      {shown.map(({ verb, label, Icon }) => (
        <Entry key={verb} apart={verb === 'remove' && shown.length > 1}>
          <MenuItem danger={verb === 'remove'} disabled={busy} onSelect={() => onAct(verb)}>
            <Icon aria-hidden />
            {label}
          </MenuItem>
        </Entry>
      ))}
    </ActionsMenu>
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

export function useContainerActions(serverId: string) {
  const { open } = useDialog()
  const { mutate } = useContainerAction(serverId)
  const acting = usePendingActions(serverId)
  return {
    acting,
    act: (container: ActionTarget, verb: ContainerVerb) => {
      if (acting.has(container.id)) return
      if (needsDialog(verb, container)) open(dialogName(verb, container))
      else mutate({ cid: container.id, body: { action: verb } })
    },
  }
}

interface ContainerActionsProps {
  serverId: string
  container: Container
  acting: ContainerVerb | undefined
  onAct: (verb: ContainerVerb) => void
  onRemoved: () => void
}

export function ContainerActions({ serverId, container, acting, onAct, onRemoved }: ContainerActionsProps) {
  return (
    <>
      {prominentActions(container).map(({ verb, label, Icon }) => (
        <Button
          key={verb}
          disabled={acting !== undefined && acting !== verb}
          pending={acting === verb && pendingLabels[verb]}
          onClick={() => onAct(verb)}
        >
          <Icon aria-hidden />
          {label}
        </Button>
      ))}
      <ContainerMenu container={container} busy={acting !== undefined} onAct={onAct} rest />
      <ContainerDialogs serverId={serverId} containers={[container]} complete onRemoved={onRemoved} />
    </>
  )
}

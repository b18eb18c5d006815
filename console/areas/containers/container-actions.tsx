import { Button } from '../../ui/button.tsx'
import type { ContainerVerb } from './mutations.ts'
import { ContainerDialogs } from './container-dialogs.tsx'
import { ContainerMenu, prominentActions } from './container-menu.tsx'
import { pendingLabels } from './container-state.ts'
import type { Container } from './queries.ts'

interface ContainerActionsProps {
  serverId: string
  container: Container
  /** Action in progress. */
  acting: ContainerVerb | undefined
  onAct: (verb: ContainerVerb) => void
  onRemoved: () => void
}

/** Shows the main actions of the state as buttons and the rest in a menu. */
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

import { Badge } from '../../ui/badge.tsx'
import type { ContainerVerb } from './mutations.ts'
import { containerHealthLabel, containerStateLabel, pendingLabels } from './container-state.ts'
import type { Container } from './queries.ts'

interface ContainerBadgeProps {
  container: Pick<Container, 'state' | 'health' | 'exit_code'>
  /** Action in progress. */
  acting?: ContainerVerb | undefined
}

export function ContainerBadge({ container, acting }: ContainerBadgeProps) {
  if (acting) return <Badge tone="yellow">{pendingLabels[acting]}</Badge>
  const [tone, word] = containerStateLabel(container)
  const health = containerHealthLabel(container)
  return (
    <span className="inline-flex flex-wrap gap-1 py-1 max-sm:justify-end max-sm:py-0">
      <Badge tone={tone}>{word}</Badge>
      {health && <Badge tone={health[0]}>{health[1]}</Badge>}
    </span>
  )
}

import { Badge, type Tone } from '../../ui/badge.tsx'
import type { Server } from './queries.ts'

const says: Record<Server['status'], [tone: Tone, word: string]> = {
  failed: ['red', 'Failed'],
  unreachable: ['red', 'Unreachable'],
  setting_up: ['yellow', 'Setting up'],
  provisioning: ['yellow', 'Provisioning'],
  pending: ['yellow', 'Pending'],
  ready: ['green', 'Ready'],
  deleting: ['yellow', 'Deleting'],
}

export function ServerBadge({ status }: { status: Server['status'] }) {
  const [tone, word] = says[status]
  return <Badge tone={tone}>{word}</Badge>
}

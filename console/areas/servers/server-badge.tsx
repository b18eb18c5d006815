import { Badge } from '../../ui/badge.tsx'
import { serverStatusLabel } from './server-status.ts'

export function ServerBadge({ status }: { status: string }) {
  const [tone, word] = serverStatusLabel(status)
  return <Badge tone={tone}>{word}</Badge>
}

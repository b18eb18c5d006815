import { Badge } from '../../ui/badge.tsx'
import { serverWord } from './server-words.ts'

export function ServerBadge({ status }: { status: string }) {
  const [tone, word] = serverWord(status)
  return <Badge tone={tone}>{word}</Badge>
}

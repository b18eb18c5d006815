import { Box } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** Of a server where nothing was ever started. */
export const NoContainers = () => (
  <EmptyState
    icon={Box}
    title="No containers yet"
    action={<CodeBlock label="Copy the command">docker run -d --name web -p 8080:80 nginx</CodeBlock>}
  >
    Whatever runs in Docker on this server appears here by itself, whoever starts it. To see one, run this
    under Commands:
  </EmptyState>
)

/** There are some, but none of those that were asked for. */
export const NoneShown = ({ onAll }: { onAll: () => void }) => (
  <EmptyState
    icon={Box}
    title="There are no such containers now"
    action={<Button onClick={onAll}>Show all</Button>}
  />
)

import { useQuery } from '@tanstack/react-query'
import { variableValuesQuery, type VariableList } from '../../../lib/form/variable-list.ts'
import { Card } from '../../../ui/card.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { EnvironmentEditor } from './environment-editor.tsx'

interface EnvironmentTextProps {
  list: VariableList
  onClose: () => void
}

/** All variables as one text, which is asked for when one begins to edit it. */
export function EnvironmentText({ list, onClose }: EnvironmentTextProps) {
  const { data, isError, refetch } = useQuery(variableValuesQuery(list))
  if (data) {
    const before = data.map(({ key, value }) => ({ key, value: value ?? '' }))
    return <EnvironmentEditor {...{ list, before, onClose }} begun={data} />
  }
  return (
    <Card title="Environment as text">
      {isError ? (
        <Problem title="The variables could not be loaded" onRetry={() => void refetch()}>
          Try again in a moment.
        </Problem>
      ) : (
        <Skeleton className="h-80" />
      )}
    </Card>
  )
}

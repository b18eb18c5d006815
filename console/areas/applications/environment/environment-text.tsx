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

/** Loads the values when the user starts to edit. */
export function EnvironmentText({ list, onClose }: EnvironmentTextProps) {
  const { data, isError, refetch } = useQuery(variableValuesQuery(list))
  if (data) {
    const before = data.map(({ key, value }) => ({ key, value: value ?? '' }))
    return <EnvironmentEditor {...{ list, before, onClose }} begun={data} />
  }
  return (
    <Card title="Environment as text">
      {isError ? (
        <Problem title="Couldn’t load variables" onRetry={() => void refetch()}>
          The request failed.
        </Problem>
      ) : (
        <Skeleton className="h-80" />
      )}
    </Card>
  )
}

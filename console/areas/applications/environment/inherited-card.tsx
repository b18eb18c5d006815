import { projectPath } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { type Column, Table } from '../../../ui/table/table.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { MaskedValue, nameColumn, useRevealed } from './masked-value.tsx'
import { type Inherited, readInherited } from './variables.ts'

interface InheritedCardProps {
  applicationId: string
  project: Inherited['project']
  inherited: readonly Inherited[]
  /** `onOverride` is undefined for users who may not change the environment or see its values. */
  onOverride: ((key: string) => void) | undefined
}

export function InheritedCard({ applicationId, project, inherited, onOverride }: InheritedCardProps) {
  const revealed = useRevealed({ read: (values, signal) => readInherited(applicationId, values, signal) })
  return (
    <Card
      title={`From project ${project.name}`}
      description={
        <>
          Shared by all applications in the project. Application variables with the same name take precedence.{' '}
          <TextLink to={projectPath(project.id, 'variables')}>Edit project variables</TextLink>
        </>
      }
      flush
    >
      <Table
        label="Inherited variables"
        columns={columnsFor(revealed, onOverride !== undefined)}
        rows={inherited}
        rowKey={({ id }) => id}
        {...(onOverride && { actions: overriding(onOverride) })}
      />
    </Card>
  )
}

const columnsFor = (
  { valueOf, toggle }: ReturnType<typeof useRevealed>,
  reveals: boolean,
): [Column<Inherited>, ...Column<Inherited>[]] => [
  nameColumn,
  {
    head: 'Value',
    cell: (variable) => (
      <MaskedValue
        name={`${variable.key} from the project`}
        value={valueOf(variable)}
        onToggle={reveals ? () => toggle(variable.id) : undefined}
      />
    ),
  },
  {
    head: 'Status',
    cell: ({ overridden }) =>
      overridden ? <Badge tone="neutral">Overridden</Badge> : <Badge tone="green">In use</Badge>,
    narrow: true,
  },
]

const overriding =
  (onOverride: (key: string) => void) =>
  ({ key, overridden }: Inherited) =>
    !overridden && (
      <Button variant="ghost" size="small" aria-label={`Override ${key}`} onClick={() => onOverride(key)}>
        Override
      </Button>
    )

import { useQuery } from '@tanstack/react-query'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { branchesQuery } from './repository-queries.ts'

interface BranchFieldProps {
  integrationId: string
  repository: string
  value: string
  onChange: (branch: string) => void
  error?: string | undefined
}

/** Suggests the branches of the repository; any name can be typed if they cannot be loaded. */
export function BranchField({ integrationId, repository, value, onChange, error }: BranchFieldProps) {
  const { data: branches = [] } = useQuery(branchesQuery(integrationId, repository))
  return (
    <Field label="Branch" help="The branch to deploy." error={error}>
      <Combobox
        name="source.branch"
        label="Branches"
        options={branches}
        value={value}
        onChange={onChange}
        placeholder="main"
      />
    </Field>
  )
}

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

/** Offers the branches that there are; where they cannot be fetched, one types its name. */
export function BranchField({ integrationId, repository, value, onChange, error }: BranchFieldProps) {
  const { data: branches = [] } = useQuery(branchesQuery(integrationId, repository))
  return (
    <Field label="Branch" help="What is built when you deploy. Choose one, or type its name." error={error}>
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

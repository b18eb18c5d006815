import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { branchesQuery } from './repository-queries.ts'

interface BranchFieldProps {
  integrationId: string
  repository: string
  /** To begin with. */
  value: string
  onChange: (branch: string) => void
  error?: string | undefined
}

/** Offers the branches that there are; where they cannot be fetched, one types its name. */
export function BranchField({ integrationId, repository, value, onChange, error }: BranchFieldProps) {
  const { data: branches = [] } = useQuery(branchesQuery(integrationId, repository))
  const id = useId()
  return (
    <Field label="Branch" help="What is built when you deploy. Choose one, or type its name." error={error}>
      <Input
        name="source.branch"
        list={id}
        mono
        value={value}
        onChange={({ target }) => onChange(target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="main"
      />
      <datalist id={id}>
        {branches.map((branch) => (
          <option key={branch} value={branch}>
            {branch}
          </option>
        ))}
      </datalist>
    </Field>
  )
}

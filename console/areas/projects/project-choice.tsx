import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAllPages } from '../../lib/http/use-all-pages.ts'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { projectsQuery } from './queries.ts'

interface ProjectChoiceProps {
  /** Empty for none. */
  value: string
  onChange: (id: string) => void
}

/** Hidden while there are no projects. */
export function ProjectChoice({ value, onChange }: ProjectChoiceProps) {
  const query = useInfiniteQuery(projectsQuery(''))
  useAllPages(query, true)
  const { data: projects } = query
  // Ignore a project that was deleted meanwhile.
  const isGone =
    value !== '' && projects !== undefined && !query.hasNextPage && !projects.some(({ id }) => id === value)
  useEffect(() => {
    if (isGone) onChange('')
  }, [isGone, onChange])
  if (!projects || projects.length === 0) return null
  const options = [
    { value: '', label: 'None' },
    ...projects.map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <Field label="Project" optional help="The application inherits its variables.">
      <Select options={options} value={isGone ? '' : value} onValueChange={onChange} />
    </Field>
  )
}

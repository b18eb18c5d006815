import { useParam } from '../../lib/use-param.ts'
import { Select } from '../../ui/form/select.tsx'
import type { Template } from './queries.ts'

export type Category = Template['category']

export function useCategoryFilter() {
  const [value, set] = useParam('category')
  const category: Category | undefined = isCategory(value) ? value : undefined
  return {
    category,
    value: category ?? '',
    control: (
      <div className="w-48 max-sm:w-full">
        <Select aria-label="Category" options={options} value={category ?? ''} onValueChange={set} />
      </div>
    ),
    where: 'in this category',
    clear: () => set(''),
  }
}

export const categoryLabels: Record<Category, string> = {
  analytics: 'Analytics',
  automation: 'Automation',
  business: 'Business',
  cms: 'Websites',
  communication: 'Communication',
  databases: 'Databases',
  development: 'Development',
  files: 'Files',
  knowledge: 'Knowledge',
  media: 'Media',
  monitoring: 'Monitoring',
  productivity: 'Productivity',
  security: 'Security',
  other: 'Other',
}

const options = [
  { value: '', label: 'All categories' },
  ...Object.entries(categoryLabels).map(([value, label]) => ({ value, label })),
]

const isCategory = (word: string): word is Category => Object.hasOwn(categoryLabels, word)

import { useParam } from '../../lib/use-param.ts'
import { Select } from '../../ui/form/select.tsx'
import { type Category, categoryLabels, isCategory } from './category-labels.ts'

const options = [
  { value: '', label: 'All categories' },
  ...Object.entries(categoryLabels).map(([value, label]) => ({ value, label })),
]

/** Filters by category, stored in the URL. */
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

import type { Template } from './queries.ts'

export type Category = Template['category']

/** How people read a category, in the order of the list. */
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

export const isCategory = (word: string): word is Category => Object.hasOwn(categoryLabels, word)

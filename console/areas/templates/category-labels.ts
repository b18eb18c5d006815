import type { Template } from './queries.ts'

export type Category = Template['category']

/** Category labels in display order. */
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

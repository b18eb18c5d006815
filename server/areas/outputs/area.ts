import type { Area } from '../../area.ts'

export const outputsArea: Area = { name: 'outputs' }

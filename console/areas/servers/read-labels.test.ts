import { expect, test } from 'vitest'
import { labelsError, readLabels, writeLabels } from './read-labels.ts'

test('labels stand between commas, each once, none of them empty', () => {
  expect(readLabels('web, eu central ,, web,')).toEqual(['web', 'eu central'])
  expect(readLabels('  ')).toEqual([])
})

test('what is written is read as the same', () => {
  const labels = ['web', 'eu central', 'größer']
  expect(readLabels(writeLabels(labels))).toEqual(labels)
})

test('a sentence about one of the labels is one about the field', () => {
  expect(labelsError({ name: 'No.', 'labels.2': 'Must be shorter.' })).toBe('Must be shorter.')
  expect(labelsError({ labels: 'Too many.' })).toBe('Too many.')
  expect(labelsError({ name: 'No.' })).toBeUndefined()
})

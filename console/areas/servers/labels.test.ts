import { expect, test } from 'vitest'
import { labelsError, readLabels, writeLabels } from './labels.tsx'

test('splits labels at commas and drops empty and repeated ones', () => {
  expect(readLabels('web, eu central ,, web,')).toEqual(['web', 'eu central'])
  expect(readLabels('  ')).toEqual([])
})

test('parses formatted labels to the same value', () => {
  const labels = ['web', 'eu central', 'größer']
  expect(readLabels(writeLabels(labels))).toEqual(labels)
})

test('assigns an error of one label to the field', () => {
  expect(labelsError({ name: 'No.', 'labels.2': 'Must be shorter.' })).toBe('Must be shorter.')
  expect(labelsError({ labels: 'Too many.' })).toBe('Too many.')
  expect(labelsError({ name: 'No.' })).toBeUndefined()
})

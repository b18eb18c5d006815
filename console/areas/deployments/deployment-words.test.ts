import { expect, it } from 'vitest'
import {
  changedField,
  deploymentTone,
  deploymentType,
  hasDied,
  isUnderWay,
  stepLabel,
} from './deployment-words.ts'

it('is green when completed, red when failed, yellow otherwise', () => {
  expect(['completed', 'failed', 'queued', 'running', 'cancelled', 'brand new'].map(deploymentTone)).toEqual([
    'green',
    'red',
    'yellow',
    'yellow',
    'yellow',
    'yellow',
  ])
})

it('is a Build only when an application is built', () => {
  expect(deploymentType('build_application')).toBe('Build')
  expect(deploymentType('rollback_application')).toBe('Deploy')
})

it('is under way until it has ended, and has died when it went well and there is an error all the same', () => {
  const under = ['queued', 'running', 'completed', 'failed', 'cancelled'].filter((status) =>
    isUnderWay({ status }),
  )
  expect(under).toEqual(['queued', 'running'])
  expect(hasDied({ status: 'completed', errors: ['It ended with code 1.'] })).toBe(true)
  expect(hasDied({ status: 'completed', errors: [] })).toBe(false)
  expect(hasDied({ status: 'failed', errors: ['It ended with code 1.'] })).toBe(false)
})

it('has other words for the steps where nothing takes its place', () => {
  expect(stepLabel('drain', 'deploy_application')).toBe('Drain the old')
  expect(stepLabel('drain', 'stop_application')).toBe('Stop')
  expect(stepLabel('check', 'stop_application')).toBe('Check')
})

it('tells a changed field, and which one where there are several', () => {
  expect(changedField('memory_limit')).toEqual({ label: 'Memory limit', name: '' })
  expect(changedField('labels.com.example.team')).toEqual({ label: 'Label', name: 'com.example.team' })
  expect(changedField('volumes./data')).toEqual({ label: 'Volume at', name: '/data' })
  expect(changedField('brand_new')).toEqual({ label: 'brand_new', name: '' })
})

export { nearestName, suggestion } from '../domain/nearest-name.ts'

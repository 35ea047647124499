import { mountRows } from './mountRows.ts'
import Rxjs from './Rxjs.svelte'

mountRows(Rxjs)

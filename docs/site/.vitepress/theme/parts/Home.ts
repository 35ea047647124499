import { defineAsyncComponent } from 'vue'

export default defineAsyncComponent(
  () => import('vitepress/dist/client/theme-default/components/VPHome.vue'),
)

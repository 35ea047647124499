// The styles of the theme first, as those of the site replace some of the same specificity.
import 'vitepress/theme-without-fonts'
import './style.css'
import { onContentUpdated, type Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h } from 'vue'
import Diagram from './Diagram.vue'
import Playground from './Playground.vue'
import { listenToChoices, restoreChoice } from './rememberTabs.ts'

const Layout = defineComponent({
  setup() {
    if (!import.meta.env.SSR) {
      listenToChoices()
    }
    onContentUpdated(restoreChoice)
    return () => h(DefaultTheme.Layout)
  },
})

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component('Diagram', Diagram)
    app.component('Playground', Playground)
  },
} satisfies Theme

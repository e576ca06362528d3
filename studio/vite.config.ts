import { defineConfig } from "vite";

// The built page is committed, so its names and bytes must not depend on the machine.
export default defineConfig({
  base: "/",
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
  },
});

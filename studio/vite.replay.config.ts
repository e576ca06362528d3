import { defineConfig } from "vite";

// The viewer of replay files: one script, which the page puts into the file.
export default defineConfig({
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: false,
    copyPublicDir: false,
    chunkSizeWarningLimit: 1500,
    lib: { entry: "src/replay.ts", formats: ["es"], fileName: () => "replay.js" },
    minify: true,
  },
});
